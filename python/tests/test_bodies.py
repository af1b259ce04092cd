# SPDX-License-Identifier: Apache-2.0
"""Objects and Shapes: how they are made, what they show, and what is refused."""

from __future__ import annotations

import copy
import gc
import types
from pathlib import Path

import numpy as np
import pytest

import touche
from conftest import make_cube, make_sphere

TRIANGLE = ([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])


def test_vertices_are_a_view_that_keeps_the_object_alive() -> None:
    vertices = make_cube().vertices
    gc.collect()
    assert vertices.shape == (8, 3) and vertices.dtype == np.float64
    assert np.abs(vertices).max() == 0.5
    assert not vertices.flags.writeable and not vertices.flags.owndata
    with pytest.raises(ValueError):
        vertices[0, 0] = 7
    with pytest.raises(ValueError):
        vertices.flags.writeable = True


def test_the_buffer_is_that_of_the_vertices(cube: touche.Object) -> None:
    view = memoryview(cube)
    assert view.shape == (8, 3) and view.readonly
    assert np.array_equal(np.asarray(view), cube.vertices)
    assert np.shares_memory(np.asarray(view), cube.vertices)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64, np.int8])
@pytest.mark.parametrize("faces", [np.int32, np.uint32, np.int64, np.uint8])
def test_any_number_types(dtype: type, faces: type) -> None:
    made = touche.Object(np.array(TRIANGLE[0], dtype=dtype), np.array(TRIANGLE[1], dtype=faces))
    assert np.array_equal(made.vertices, TRIANGLE[0])


def test_arrays_that_are_not_contiguous() -> None:
    wide = np.zeros((3, 6))
    wide[:, ::2] = TRIANGLE[0]
    assert np.array_equal(touche.Object(wide[:, ::2], TRIANGLE[1]).vertices, TRIANGLE[0])
    assert np.array_equal(
        touche.Object(np.asfortranarray(TRIANGLE[0]), TRIANGLE[1]).vertices, TRIANGLE[0]
    )


def test_polygons_are_triangulated() -> None:
    points = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0.5, 0.5, 1]]
    quad = touche.Object(points[:4], [[0, 1, 2, 3]])
    assert quad.face_count == 1 and len(quad.triangles) == 2
    mixed = touche.Object(points, [0, 1, 2, 3, 0, 1, 4], face_sizes=[4, 3])
    assert mixed.face_count == 2 and mixed.face(0).tolist() == [0, 1, 2, 3]
    assert mixed.triangle_faces.tolist() == [0, 0, 1]
    with pytest.raises(IndexError):
        mixed.face(2)


def test_meshes_of_other_libraries() -> None:
    vertices, faces = (np.array(a) for a in TRIANGLE)
    space = types.SimpleNamespace
    padded = np.array([3, 0, 1, 2])
    for mesh in (
        space(vertices=vertices, faces=faces),  # trimesh
        space(vertices=list(vertices), triangles=faces),  # Open3D
        space(points=vertices, faces=padded),  # PyVista
        space(points=vertices, cells_dict={"triangle": faces, "line": [[0, 1]]}),  # meshio
    ):
        assert touche.Object(mesh).face_count == 1
    with pytest.raises(TypeError, match="vertices and faces"):
        touche.Object(space(points=vertices))
    with pytest.raises(ValueError, match="do not fit"):
        touche.Object(space(points=vertices, faces=np.array([3, 0, 1])))
    with pytest.raises(touche.InvalidInput, match="strips"):
        touche.Object(space(points=vertices, faces=padded, n_strips=2))


def test_cells_of_meshio() -> None:
    corners = np.array([[x, y, 0.0] for y in range(2) for x in range(4)])
    mesh = types.SimpleNamespace(
        points=corners,
        cells_dict={
            "triangle": [[0, 1, 4]],
            "quad": [[1, 2, 6, 5]],
            "polygon5": [[0, 3, 7, 5, 4]],
            "tetra": [[0, 1, 2, 4]],
        },
    )
    made = touche.Object(mesh)
    assert [made.face(f).tolist() for f in range(made.face_count)] == [
        [0, 1, 4],
        [1, 2, 6, 5],
        [0, 3, 7, 5, 4],
    ]
    for kind, text in (("triangle6", "curved"), ("tetra", "only cells of the kinds tetra")):
        mesh.cells_dict = {kind: [[0, 1, 2, 3, 4, 5]]}
        with pytest.raises(touche.InvalidInput, match=text):
            touche.Object(mesh)


def test_dlpack() -> None:
    class Tensor:
        """What follows the DLPack protocol only."""

        def __init__(self, array: np.ndarray) -> None:
            self._array = array

        def __dlpack__(self, stream: object = None) -> object:
            return self._array.__dlpack__()

        def __dlpack_device__(self) -> tuple[int, int]:
            return self._array.__dlpack_device__()

    made = touche.Object(Tensor(np.array(TRIANGLE[0])), Tensor(np.array(TRIANGLE[1])))
    assert np.array_equal(made.vertices, TRIANGLE[0])
    rows = touche.distance_many(made, None, made, np.eye(4)[None])
    assert np.from_dlpack(rows["lower"].copy()).shape == (1,)


@pytest.mark.parametrize(
    ("vertices", "faces", "options", "error", "text"),
    [
        ([[0, 0]], [[0, 0, 0]], {}, touche.InvalidInput, r"vertices: shape \(1, 2\), expected"),
        ([], [[0, 1, 2]], {}, touche.InvalidInput, "vertices: there are none"),
        (TRIANGLE[0], [[0, 1]], {}, touche.InvalidInput, r"faces: shape \(1, 2\)"),
        (TRIANGLE[0], [[0, 1, 3]], {}, touche.InvalidInput, r"faces\[0\]: vertex 3"),
        (TRIANGLE[0], [[0, 1, -1]], {}, touche.InvalidInput, r"faces\[0\]: vertex -1"),
        (TRIANGLE[0], [[0.0, 1, 2]], {}, TypeError, "faces: expected whole numbers"),
        (TRIANGLE[0], np.zeros((0, 3), int), {}, touche.InvalidInput, "face"),
        (
            [[0, 0, np.nan], [1, 0, 0], [0, 1, 0]],
            [[0, 1, 2]],
            {},
            touche.InvalidInput,
            "vertex 0: coordinate z is not finite",
        ),
        (
            [[0, 0, 0], [np.inf, 0, 0], [0, 1, 0]],
            [[0, 1, 2]],
            {},
            touche.InvalidInput,
            "vertex 1",
        ),
        ([["a", "b", "c"]], [[0, 0, 0]], {}, TypeError, "vertices: expected numbers"),
        (None, [[0, 1, 2]], {}, TypeError, "vertices"),
        (TRIANGLE[0], [0, 1, 2], {"face_sizes": [2]}, touche.InvalidInput, r"face_sizes\[0\]"),
        (TRIANGLE[0], [0, 1, 2], {"face_sizes": [3, 3]}, touche.InvalidInput, "add up to 6"),
        (TRIANGLE[0], TRIANGLE[1], {"scale": 2.0}, touche.InvalidInput, "for files"),
        (TRIANGLE[0], TRIANGLE[1], {"face_sizes": [3]}, touche.InvalidInput, "face_sizes"),
    ],
)
def test_what_is_refused(
    vertices: object, faces: object, options: dict, error: type, text: str
) -> None:
    with pytest.raises(error, match=text):
        touche.Object(vertices, faces, **options)


def test_invalid_input_is_a_value_error() -> None:
    assert issubclass(touche.InvalidInput, ValueError)
    assert issubclass(touche.LoadError, OSError)
    assert issubclass(touche.InvalidInput, touche.Error)


def test_files(tmp_path: Path, cube: touche.Object) -> None:
    file = tmp_path / "cube.ply"
    cube.save(file)
    assert touche.load(file) == cube and touche.load(str(file)).name == "cube"
    doubled = touche.load(file, scale=2, name="other")
    assert doubled.name == "other" and np.array_equal(doubled.vertices, 2 * cube.vertices)
    turned = touche.load(file, up="y")
    assert np.array_equal(turned.vertices[:, 2], cube.vertices[:, 1])
    with pytest.raises(touche.LoadError, match="nowhere.stl"):
        touche.load(tmp_path / "nowhere.stl")
    (tmp_path / "bad.obj").write_text("v 0 0 zero\n")
    with pytest.raises(touche.LoadError, match=r"bad.obj:1"):
        touche.load(tmp_path / "bad.obj")
    with pytest.raises(touche.InvalidInput, match="up: "):
        touche.load(file, up="w")  # type: ignore[arg-type]


def test_equal_meshes_are_equal(cube: touche.Object) -> None:
    assert cube == make_cube() and hash(cube) == hash(make_cube())
    assert cube != make_cube(2) and cube != "cube"
    assert copy.copy(cube) is cube and copy.deepcopy([cube])[0] is cube
    assert len({cube, make_cube(), make_cube(2)}) == 2


def test_health_and_mass(cube: touche.Object) -> None:
    assert cube.is_closed and cube.health()["volume"] == pytest.approx(1)
    mass = touche.mass_properties(cube, 7800)
    assert mass.mass == pytest.approx(7800)
    assert np.allclose(mass.inertia, np.eye(3) * 1300)
    with pytest.raises(touche.InvalidInput):
        touche.mass_properties(touche.Object(*TRIANGLE), 1)


def test_refitted(cube: touche.Object) -> None:
    moved = cube.refitted(cube.vertices + [0, 0, 1])
    assert np.array_equal(moved.bounds[0], [-0.5, -0.5, 0.5])
    with pytest.raises(touche.InvalidInput):
        cube.refitted(cube.vertices[:4])


def test_shapes() -> None:
    shape = touche.Shape
    box = shape.box((1, 2, 3))
    assert np.array_equal(box.bounds[1], [0.5, 1, 1.5]) and len(box.corners) == 8
    for made, kind in (
        (shape.sphere(1), "sphere"),
        (shape.capsule(1, 2), "capsule"),
        (shape.cylinder(1, 2), "cylinder"),
        (shape.cone(1, 2), "cone"),
        (shape.ellipsoid((1, 2, 3)), "ellipsoid"),
        (shape.hull(np.eye(3)), "hull"),
        (shape.zonotope((0, 0, 0), np.eye(3)), "zonotope"),
        (shape.sum(box, shape.sphere(1)), "box"),
        (shape.half_space((0, 0, 1)), "half space"),
    ):
        assert kind in repr(made) or made.kind, made
    assert shape.sphere(1).rounded(0.5).radius == 1.5
    assert shape.sphere(1).mesh(0.01).is_closed
    for call in (
        lambda: shape.sphere(-1),
        lambda: shape.sphere(float("nan")),
        lambda: shape.box((1, 2)),
        lambda: shape.box((1, 2, float("inf"))),
        lambda: shape.hull(np.zeros((0, 3))),
        lambda: shape.half_space((0, 0, 0)),
    ):
        with pytest.raises(touche.InvalidInput):
            call()


def test_a_large_mesh_is_built_in_a_thread() -> None:
    sphere = make_sphere(200)
    assert len(sphere.triangles) > 50_000 and sphere.is_closed
