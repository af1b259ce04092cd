# SPDX-License-Identifier: Apache-2.0
"""Serve the page of the viewer, which a notebook shows.

In a notebook, `touche.view(file)` as the last line of a cell is enough: its frame shows the page of a server on this machine,
which runs as long as the Viewer exists. So the browser must run on the same machine. This program opens the viewer, fetches its
page as the browser would, and closes it.
"""

import gzip
import sys
import tempfile
import urllib.request
from pathlib import Path

import touche


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "ring.ply"
    touche.Shape.cylinder(10, 4).mesh(0.01).save(file)
    with touche.view(file) as viewer:
        print(viewer)
        request = urllib.request.Request(viewer.url, headers={"Accept-Encoding": "gzip"})
        page = gzip.decompress(urllib.request.urlopen(request).read()).decode()
        assert "<html" in page
        print("the page has", len(page), "characters")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp()))
