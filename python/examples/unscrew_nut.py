# SPDX-License-Identifier: Apache-2.0
"""Run a study of a nut and its bolt, and write its report."""

import subprocess
import sys
import tempfile
from pathlib import Path

import touche


def main(folder: Path) -> None:
    scene = folder / "scene"
    subprocess.run(
        [sys.executable, "-m", "touche", "scene", "nut-bolt", "--out", scene], check=True
    )
    study = touche.Study(scene / "study.json")
    print(study)
    result = study.run(progress=True)
    print(result.sentence)
    assert result.is_free and result.time.lower == 1.0
    nut, pose = study.part("nut")
    end = study.motion(study.groups[0]).pose(1) * pose
    print("the nut ends at", end.translation, "and has", nut.face_count, "faces")
    print("report:", result.save(folder / "report") / "report.html")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp()))
