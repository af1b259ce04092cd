# SPDX-License-Identifier: Apache-2.0
"""Vertices and faces of the meshes of other libraries."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._core import InvalidInput


def arrays_of(mesh: Any) -> tuple[Any, Any, Any]:
    """Vertices, faces and the numbers of corners of faces, or None, of a mesh with

    - vertices and faces: trimesh and others
    - vertices and triangles: Open3D
    - points and faces, each face with the number of its corners in front: PyVista
    - points and cells_dict: meshio
    """
    if hasattr(mesh, "cells_dict"):
        return _of_cells(mesh)
    if getattr(mesh, "n_strips", 0):
        raise InvalidInput("faces: the mesh has strips of triangles; triangulate() makes faces of them")
    vertices = _first(mesh, "vertices", "points")
    faces = _first(mesh, "faces", "triangles")
    if vertices is None or faces is None:
        raise TypeError(
            "expected vertices and faces, a file, or a mesh with vertices and faces, found "
            + type(mesh).__name__
        )
    if np.ndim(faces) == 1 and np.size(faces) > 0 and hasattr(mesh, "points"):
        return vertices, *_of_padded(np.asarray(faces))
    return vertices, faces, None


def _first(mesh: Any, *names: str) -> Any:
    for name in names:
        value = getattr(mesh, name, None)
        if value is not None and not callable(value):
            return value
    return None


def _of_padded(faces: Any) -> tuple[Any, Any]:
    """Of the list 3, a, b, c, 4, d, e, f, g, ...: the corners and their numbers."""
    starts, at = [], 0
    while at < len(faces):
        if faces[at] < 3 or at + faces[at] >= len(faces):
            raise InvalidInput(f"faces: {faces[at]} corners at {at} do not fit into the list")
        starts.append(at)
        at += 1 + int(faces[at])
    return np.delete(faces, starts), faces[starts]


def _of_cells(mesh: Any) -> tuple[Any, Any, Any]:
    """Of triangles, quads and polygons; lines and volumes are left out."""
    corners, sizes = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for kind, cells in mesh.cells_dict.items():
        if kind in ("triangle", "quad") or kind.startswith("polygon"):
            faces = np.asarray(cells, dtype=np.int64)
            corners.append(faces.ravel())
            sizes.append(np.full(len(faces), faces.shape[1]))
        elif kind.startswith(("triangle", "quad")):
            raise InvalidInput(f"faces: cells of kind {kind} are curved")
    if len(sizes) == 1:
        raise InvalidInput(
            "faces: the mesh has no triangles, quads or polygons, only cells of the kinds "
            + (", ".join(mesh.cells_dict) or "(none)")
        )
    return mesh.points, np.concatenate(corners), np.concatenate(sizes)
