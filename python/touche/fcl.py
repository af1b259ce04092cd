# SPDX-License-Identifier: Apache-2.0
"""The names of python-fcl for what both libraries have: `import touche.fcl as fcl`.

Bodies, transforms, collide, distance, continuousCollide and managers take and return what the ones
of python-fcl do. What differs:

- Meshes are surfaces in collide; whether they meet is decided exactly, and touching counts.
- distance of bodies that meet is -1, as there. With enable_signed_distance it is minus the depth for
  convex shapes, and for meshes that are convex, closed and oriented; for all others it is 0.
- continuousCollide misses nothing: it is time_of_impact with the tolerance toc_err, a length. All
  solvers are this one. CCDM_TRANS keeps the rotation of the start; CCDM_LINEAR and CCDM_SCREW
  interpolate; CCDM_SPLINE is refused.
- A Transform must be rigid; collide's contacts have normals of unit length. Without enable_contact
  their normal, pos and penetration_depth are 0.
- A manager's collide calls the function for pairs that meet, exactly; there it is called for pairs
  whose boxes overlap. A manager's distance calls it for all pairs. Two half spaces are no pair.
- Not here: OcTree, Plane, cost sources, isOccupied, isFree, isUncertain, computeLocalAABB,
  aabb_center, buildState, and parameters of trees.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from . import __version__ as __version__
from . import _core
from ._core import Body, InvalidInput, Motion, Object, Pose, Shape, intersects, time_of_impact
from ._managed import Signed, meetings, signed
from ._types import Floats
from .worlds import NodeId, World

__all__ = [
    "BVHModel",
    "Box",
    "CCDMotionType",
    "CCDSolverType",
    "Capsule",
    "CollisionData",
    "CollisionGeometry",
    "CollisionObject",
    "CollisionRequest",
    "CollisionResult",
    "Cone",
    "Contact",
    "ContinuousCollisionRequest",
    "ContinuousCollisionResult",
    "Convex",
    "Cylinder",
    "DistanceData",
    "DistanceRequest",
    "DistanceResult",
    "DynamicAABBTreeCollisionManager",
    "Ellipsoid",
    "GJKSolverType",
    "Halfspace",
    "NODE_TYPE",
    "OBJECT_TYPE",
    "Sphere",
    "Transform",
    "TriangleP",
    "collide",
    "continuousCollide",
    "defaultCollisionCallback",
    "defaultDistanceCallback",
    "distance",
]


class OBJECT_TYPE:
    OT_UNKNOWN, OT_BVH, OT_GEOM, OT_OCTREE, OT_COUNT = range(5)


class NODE_TYPE:
    (
        BV_UNKNOWN,
        BV_AABB,
        BV_OBB,
        BV_RSS,
        BV_kIOS,
        BV_OBBRSS,
        BV_KDOP16,
        BV_KDOP18,
        BV_KDOP24,
        GEOM_BOX,
        GEOM_SPHERE,
        GEOM_ELLIPSOID,
        GEOM_CAPSULE,
        GEOM_CONE,
        GEOM_CYLINDER,
        GEOM_CONVEX,
        GEOM_PLANE,
        GEOM_HALFSPACE,
        GEOM_TRIANGLE,
        GEOM_OCTREE,
        NODE_COUNT,
    ) = range(21)


class CCDMotionType:
    CCDM_TRANS, CCDM_LINEAR, CCDM_SCREW, CCDM_SPLINE = range(4)


class CCDSolverType:
    (
        CCDC_NAIVE,
        CCDC_CONSERVATIVE_ADVANCEMENT,
        CCDC_RAY_SHOOTING,
        CCDC_POLYNOMIAL_SOLVER,
    ) = range(4)


class GJKSolverType:
    GST_LIBCCD, GST_INDEP = range(2)


# ---- transforms ------------------------------------------------------------------------------


def _matrix(rotation: Floats, translation: Floats) -> Floats:
    matrix = np.eye(4)
    matrix[:3, :3] = rotation
    matrix[:3, 3] = translation
    return matrix


def _rotation_of(quaternion: Floats) -> Floats:
    """Of w, x, y, z; python-fcl normalises nothing, which scales: here it is normalised."""
    if not np.all(np.isfinite(quaternion)):
        raise InvalidInput("Transform: the quaternion must be finite")
    largest = float(np.abs(quaternion).max())
    if largest == 0:
        raise InvalidInput("Transform: the quaternion has no length")
    scaled = quaternion / largest
    return Pose.from_quaternion(scaled / np.linalg.norm(scaled), order="wxyz").matrix[:3, :3]


def _numbers(value: npt.ArrayLike, name: str) -> Floats:
    """A copy, as float64."""
    return np.array(_core._numbers(value, name))


def _of_shape(value: npt.ArrayLike, shape: tuple[int, ...], name: str) -> Floats:
    made = _numbers(value, name)
    if made.shape != shape:
        raise InvalidInput(f"{name}: shape {made.shape}, expected {shape}")
    return made


def _rows_of_three(value: npt.ArrayLike, name: str) -> Floats:
    made = _numbers(value, name)
    if made.ndim != 2 or made.shape[1] != 3:
        raise InvalidInput(f"{name}: shape {made.shape}, expected (n, 3)")
    return made


class Transform:
    """A rotation, (3, 3) or w, x, y, z, and a translation (3,)."""

    def __init__(self, *args: Any) -> None:
        self._rotation: Floats = np.eye(3)
        self._translation: Floats = np.zeros(3)
        if len(args) == 1 and isinstance(args[0], Transform):
            self._rotation = args[0]._rotation
            self._translation = args[0]._translation
        elif len(args) == 1:
            data = _numbers(args[0], "Transform")
            if data.shape == (3,):
                self._translation = data
            else:
                self._rotation = self._of(data)
        elif len(args) == 2:
            self._rotation = self._of(_numbers(args[0], "Transform"))
            self._translation = _numbers(args[1], "Transform").squeeze()
            if self._translation.shape != (3,):
                raise InvalidInput("Translation must be (3,).")
        elif len(args) > 2:
            raise InvalidInput("Too many arguments to Transform().")
        self._require_rigid()

    @staticmethod
    def _of(data: Floats) -> Floats:
        if data.shape == (3, 3):
            return data
        if data.shape == (4,):
            return _rotation_of(data)
        raise InvalidInput(
            f"Transform: shape {data.shape}, expected (3,) or (3, 1), (4,) or (3, 3)"
        )

    def _require_rigid(self) -> None:
        """Raises InvalidInput for numbers that are not finite, and for what is no rotation (to a
        thousandth)."""
        Pose.from_translation(self._translation)
        Pose.from_rotation(self._rotation)

    @property
    def pose(self) -> Pose:
        """As touche has it."""
        return Pose(_matrix(self._rotation, self._translation))

    def getRotation(self) -> Floats:
        return self._rotation.copy()

    def getTranslation(self) -> Floats:
        return self._translation.copy()

    def getQuatRotation(self) -> Floats:
        return self.pose.quaternion(order="wxyz")

    def setRotation(self, R: npt.ArrayLike) -> None:
        rotation = _of_shape(R, (3, 3), "R")
        Pose.from_rotation(rotation)
        self._rotation = rotation

    def setTranslation(self, T: npt.ArrayLike) -> None:
        translation = _of_shape(T, (3,), "T")
        Pose.from_translation(translation)
        self._translation = translation

    def setQuatRotation(self, q: npt.ArrayLike) -> None:
        self._rotation = _rotation_of(_of_shape(q, (4,), "q"))


# ---- geometries ------------------------------------------------------------------------------


class CollisionGeometry:
    """A body: `body` is that of touche."""

    _type = NODE_TYPE.BV_UNKNOWN

    @property
    def body(self) -> Body:
        raise InvalidInput("this geometry has no faces and no shape")

    def getNodeType(self) -> int:
        return self._type


class _Primitive(CollisionGeometry):
    """Its numbers can be changed, so its shape is made when it is requested; and once at the start,
    which raises InvalidInput for numbers that give none."""

    def _shape(self) -> Shape:
        raise NotImplementedError

    @property
    def body(self) -> Shape:
        return self._shape()


class Box(_Primitive):
    _type = NODE_TYPE.GEOM_BOX

    def __init__(self, x: float, y: float, z: float) -> None:
        self.side = _numbers([x, y, z], "side")
        self._shape()

    def _shape(self) -> Shape:
        return Shape.box(self.side)


class Sphere(_Primitive):
    _type = NODE_TYPE.GEOM_SPHERE

    def __init__(self, radius: float) -> None:
        self.radius = radius
        self._shape()

    def _shape(self) -> Shape:
        return Shape.sphere(self.radius)


class Ellipsoid(_Primitive):
    _type = NODE_TYPE.GEOM_ELLIPSOID

    def __init__(self, a: float, b: float, c: float) -> None:
        self.radii = _numbers([a, b, c], "radii")
        self._shape()

    def _shape(self) -> Shape:
        return Shape.ellipsoid(self.radii)


class Capsule(_Primitive):
    _type = NODE_TYPE.GEOM_CAPSULE

    def __init__(self, radius: float, lz: float) -> None:
        self.radius, self.lz = radius, lz
        self._shape()

    def _shape(self) -> Shape:
        return Shape.capsule(self.radius, self.lz)


class Cone(_Primitive):
    _type = NODE_TYPE.GEOM_CONE

    def __init__(self, radius: float, lz: float) -> None:
        self.radius, self.lz = radius, lz
        self._shape()

    def _shape(self) -> Shape:
        return Shape.cone(self.radius, self.lz)


class Cylinder(_Primitive):
    _type = NODE_TYPE.GEOM_CYLINDER

    def __init__(self, radius: float, lz: float) -> None:
        self.radius, self.lz = radius, lz
        self._shape()

    def _shape(self) -> Shape:
        return Shape.cylinder(self.radius, self.lz)


class Halfspace(_Primitive):
    """All x with n · x <= d."""

    _type = NODE_TYPE.GEOM_HALFSPACE

    def __init__(self, n: npt.ArrayLike, d: float) -> None:
        self.n, self.d = _numbers(n, "n"), d
        self._shape()

    def _shape(self) -> Shape:
        return Shape.half_space(self.n, self.d)


class TriangleP(_Primitive):
    _type = NODE_TYPE.GEOM_TRIANGLE

    def __init__(self, a: npt.ArrayLike, b: npt.ArrayLike, c: npt.ArrayLike) -> None:
        self.a, self.b, self.c = (_of_shape(x, (3,), "corner") for x in (a, b, c))
        self._shape()

    def _shape(self) -> Shape:
        return Shape.hull(np.array([self.a, self.b, self.c]))


class Convex(CollisionGeometry):
    """The convex hull of vertices (n, 3). `faces`: for each the number of its corners, then these."""

    _type = NODE_TYPE.GEOM_CONVEX

    def __init__(self, vertices: npt.ArrayLike, num_faces: int, faces: npt.ArrayLike) -> None:
        self._body = Shape.hull(vertices)
        self.num_faces = num_faces

    @property
    def body(self) -> Shape:
        return self._body


class BVHModel(CollisionGeometry):
    """A mesh: beginModel, addSubModel any number of times, endModel."""

    _type = NODE_TYPE.BV_OBBRSS

    def __init__(self) -> None:
        self._vertices: list[Floats] = []
        self._faces: list[npt.NDArray[np.int64]] = []
        self._body: Object | None = None
        self._hull: Shape | None = None

    # These return what they do there: 0 or True for success. What is wrong raises.

    def beginModel(self, num_tris_: int = 0, num_vertices_: int = 0) -> int:
        self.__init__()  # type: ignore[misc]
        return 0

    def addVertex(self, x: float, y: float, z: float) -> bool:
        self._vertices.append(_rows_of_three([[x, y, z]], "vertex"))
        return True

    def addTriangle(self, v1: npt.ArrayLike, v2: npt.ArrayLike, v3: npt.ArrayLike) -> bool:
        corners = [_of_shape(v, (3,), "vertex") for v in (v1, v2, v3)]
        return self.addSubModel(np.array(corners), np.array([[0, 1, 2]]))

    def addSubModel(self, verts: npt.ArrayLike, triangles: npt.ArrayLike) -> bool:
        if self._body is not None:
            raise InvalidInput("BVHModel: endModel() was called; beginModel() starts a new one")
        before = sum(len(v) for v in self._vertices)
        vertices = _rows_of_three(verts, "verts")
        _rows_of_three(triangles, "triangles")
        faces = np.asarray(triangles)
        if faces.dtype.kind not in "iu":
            raise TypeError(f"triangles: expected whole numbers, found dtype {faces.dtype}")
        if faces.size and not (faces.min() >= 0 and faces.max() < len(vertices)):
            raise InvalidInput("triangles: a vertex number does not exist in verts")
        self._vertices.append(vertices)
        self._faces.append(faces.astype(np.int64) + before)
        return True

    def endModel(self) -> int:
        """Builds the hierarchy. Raises InvalidInput for a mesh without triangles."""
        if not self._faces:
            raise InvalidInput("BVHModel: no triangles were added")
        self._body = Object(np.concatenate(self._vertices), np.concatenate(self._faces))
        return 0

    @property
    def body(self) -> Object:
        if self._body is None:
            raise InvalidInput("BVHModel: endModel() was not called")
        return self._body

    @property
    def hull(self) -> Shape | None:
        """The convex hull, if the mesh is its surface: closed, and with the same volume."""
        body = self.body
        if self._hull is None:
            self._hull = Shape.hull(body.vertices)
        if not body.is_closed:
            return None
        volume = abs(float(body.health()["volume"]))
        whole = abs(float(self._hull.mesh().health()["volume"])) if volume > 0 else 0.0
        return self._hull if abs(whole - volume) <= 1e-9 * whole else None

    def num_tries_(self) -> int:
        return len(self.body.triangles)


class CollisionObject:
    """A geometry and its transform."""

    def __init__(self, geom: CollisionGeometry | None = None, tf: Transform | None = None) -> None:
        if geom is not None and not isinstance(geom, CollisionGeometry):
            raise TypeError(f"geom: expected a geometry, found {type(geom).__name__}")
        self._geometry = CollisionGeometry() if geom is None else geom
        self._transform = Transform() if tf is None else Transform(tf)

    @property
    def body(self) -> Body:
        return self._geometry.body

    @property
    def pose(self) -> Pose:
        return self._transform.pose

    def getObjectType(self) -> int:
        is_mesh = isinstance(self._geometry, BVHModel)
        return OBJECT_TYPE.OT_BVH if is_mesh else OBJECT_TYPE.OT_GEOM

    def getNodeType(self) -> int:
        return self._geometry.getNodeType()

    def getTranslation(self) -> Floats:
        return self._transform.getTranslation()

    def setTranslation(self, vec: npt.ArrayLike) -> None:
        self._transform.setTranslation(vec)

    def getRotation(self) -> Floats:
        return self._transform.getRotation()

    def setRotation(self, mat: npt.ArrayLike) -> None:
        self._transform.setRotation(mat)

    def getQuatRotation(self) -> Floats:
        return self._transform.getQuatRotation()

    def setQuatRotation(self, q: npt.ArrayLike) -> None:
        self._transform.setQuatRotation(q)

    def getTransform(self) -> Transform:
        return Transform(self._transform)

    def setTransform(self, tf: Transform) -> None:
        self._transform = Transform(tf)


# ---- requests and results --------------------------------------------------------------------


class Contact:
    def __init__(self) -> None:
        self.o1: CollisionGeometry | None = None
        self.o2: CollisionGeometry | None = None
        self.b1 = 0
        self.b2 = 0
        self.normal: Floats = np.zeros(3)
        self.pos: Floats = np.zeros(3)
        self.penetration_depth = 0.0


class CollisionRequest:
    def __init__(
        self,
        num_max_contacts: int = 1,
        enable_contact: bool = False,
        num_max_cost_sources: int = 1,
        enable_cost: bool = False,
        use_approximate_cost: bool = True,
        gjk_solver_type: int = GJKSolverType.GST_LIBCCD,
    ) -> None:
        if enable_cost:
            raise InvalidInput("enable_cost: there are no cost sources")
        self.num_max_contacts = num_max_contacts
        self.enable_contact = enable_contact
        self.enable_cost = False


class CollisionResult:
    def __init__(self, is_collision: bool = False) -> None:
        self.is_collision = is_collision
        self.contacts: list[Contact] = []
        self.cost_sources: list[object] = []


class DistanceRequest:
    def __init__(
        self,
        enable_nearest_points: bool = False,
        enable_signed_distance: bool = False,
        gjk_solver_type: int = GJKSolverType.GST_LIBCCD,
    ) -> None:
        self.enable_nearest_points = enable_nearest_points
        self.enable_signed_distance = enable_signed_distance


class DistanceResult:
    def __init__(self, min_distance_: float = sys.float_info.max) -> None:
        self.min_distance = min_distance_
        self.nearest_points: list[Floats | None] = [None, None]
        self.o1: CollisionGeometry | None = None
        self.o2: CollisionGeometry | None = None
        self.b1 = -1
        self.b2 = -1


class ContinuousCollisionRequest:
    def __init__(
        self,
        num_max_iterations: int = 10,
        toc_err: float = 0.0001,
        ccd_motion_type: int = CCDMotionType.CCDM_TRANS,
        gjk_solver_type: int = GJKSolverType.GST_LIBCCD,
        ccd_solver_type: int = CCDSolverType.CCDC_CONSERVATIVE_ADVANCEMENT,
    ) -> None:
        self.toc_err = toc_err
        self.ccd_motion_type = ccd_motion_type


class ContinuousCollisionResult:
    def __init__(self, is_collide: bool = False, time_of_contact: float = 1.0) -> None:
        self.is_collide = is_collide
        self.time_of_contact = time_of_contact


class CollisionData:
    def __init__(
        self, request: CollisionRequest | None = None, result: CollisionResult | None = None
    ) -> None:
        self.request = CollisionRequest() if request is None else request
        self.result = CollisionResult() if result is None else result
        self.done = False


class DistanceData:
    def __init__(
        self, request: DistanceRequest | None = None, result: DistanceResult | None = None
    ) -> None:
        self.request = DistanceRequest() if request is None else request
        self.result = DistanceResult() if result is None else result
        self.done = False


# ---- queries ---------------------------------------------------------------------------------


Given = TypeVar("Given")


def _or_new(given: Given | None, kind: type[Given]) -> Given:
    if given is not None and not isinstance(given, kind):
        raise TypeError(f"expected a {kind.__name__}, found {type(given).__name__}")
    return kind() if given is None else given


def _require_objects(*objects: object) -> None:
    for o in objects:
        if not isinstance(o, CollisionObject):
            raise TypeError(f"expected a CollisionObject, found {type(o).__name__}")


def collide(
    o1: CollisionObject,
    o2: CollisionObject,
    request: CollisionRequest | None = None,
    result: CollisionResult | None = None,
) -> int:
    """The number of contacts; 0 if they do not meet."""
    _require_objects(o1, o2)
    request = _or_new(request, CollisionRequest)
    result = _or_new(result, CollisionResult)
    most = max(request.num_max_contacts, 1)
    if most == 1 and not request.enable_contact:
        found = intersects(o1.body, o1.pose, o2.body, o2.pose)
        if found.complete and not found.intersects:
            return 0
        contacts = [_contact(o1, o2, found.face_a, found.face_b)]
    else:
        contacts = []
        for at in meetings(o1.body, o1.pose, o2.body, o2.pose, most):
            contact = _contact(o1, o2, at.face_a, at.face_b)
            if request.enable_contact:
                contact.normal, contact.pos = at.normal, 0.5 * (at.point_a + at.point_b)
                contact.penetration_depth = -at.distance
            contacts.append(contact)
    result.is_collision = result.is_collision or bool(contacts)
    result.contacts += contacts
    return len(contacts)


def _contact(
    o1: CollisionObject, o2: CollisionObject, face_1: int | None, face_2: int | None
) -> Contact:
    contact = Contact()
    contact.o1, contact.o2 = o1._geometry, o2._geometry
    contact.b1, contact.b2 = (-1 if face is None else face for face in (face_1, face_2))
    return contact


def _solid(o: CollisionObject) -> Body:
    """A mesh that is convex as its hull, which has a depth."""
    if isinstance(o._geometry, BVHModel):
        return o._geometry.hull or o.body
    return o.body


def _signed_distance(o1: CollisionObject, o2: CollisionObject) -> Signed:
    found = signed(o1.body, o1.pose, o2.body, o2.pose, np.inf)
    assert found is not None
    if found.distance != 0:
        return found
    deeper = signed(_solid(o1), o1.pose, _solid(o2), o2.pose, np.inf)
    return found if deeper is None or deeper.distance > 0 else deeper


def distance(
    o1: CollisionObject,
    o2: CollisionObject,
    request: DistanceRequest | None = None,
    result: DistanceResult | None = None,
) -> float:
    """The distance. If they overlap: minus the depth if the request enables signed distances, and
    -1 if it does not."""
    _require_objects(o1, o2)
    request = _or_new(request, DistanceRequest)
    result = _or_new(result, DistanceResult)
    at = _signed_distance(o1, o2)
    value = at.distance if at.distance > 0 or request.enable_signed_distance else -1.0
    if value < result.min_distance:
        result.min_distance = value
        result.nearest_points = [at.point_a, at.point_b]
        result.o1, result.o2 = o1._geometry, o2._geometry
        result.b1, result.b2 = at.face_a, at.face_b
    return value


def continuousCollide(
    o1: CollisionObject,
    tf1_end: Transform,
    o2: CollisionObject,
    tf2_end: Transform,
    request: ContinuousCollisionRequest | None = None,
    result: ContinuousCollisionResult | None = None,
) -> float:
    """The time of contact in [0, 1]; 1 if there is none. Before it they are proved apart."""
    _require_objects(o1, o2)
    request = _or_new(request, ContinuousCollisionRequest)
    result = _or_new(result, ContinuousCollisionResult)
    kind = request.ccd_motion_type
    if kind not in (CCDMotionType.CCDM_TRANS, CCDMotionType.CCDM_LINEAR, CCDMotionType.CCDM_SCREW):
        raise InvalidInput(f"ccd_motion_type: {kind} is not known")

    def motion(o: CollisionObject, end: Transform) -> Motion:
        if not isinstance(end, Transform):
            raise TypeError(f"expected a Transform at the end, found {type(end).__name__}")
        target = end.pose
        if kind == CCDMotionType.CCDM_TRANS:
            target = Pose(_matrix(o.getRotation(), target.translation))
        return Motion.interpolated(o.pose, target)

    found = time_of_impact(
        o1.body, motion(o1, tf1_end), o2.body, motion(o2, tf2_end), tolerance=request.toc_err
    )
    hit = found.status != "free"
    time = found.lower if hit else 1.0
    result.is_collide = result.is_collide or hit
    result.time_of_contact = min(time, result.time_of_contact)
    return time


def defaultCollisionCallback(o1: CollisionObject, o2: CollisionObject, cdata: Any) -> bool:
    if cdata.done:
        return True
    collide(o1, o2, cdata.request, cdata.result)
    if cdata.result.is_collision and len(cdata.result.contacts) > cdata.request.num_max_contacts:
        cdata.done = True
    return bool(cdata.done)


def defaultDistanceCallback(
    o1: CollisionObject, o2: CollisionObject, cdata: Any
) -> tuple[bool, float]:
    if cdata.done:
        return True, cdata.result.min_distance
    distance(o1, o2, cdata.request, cdata.result)
    least = cdata.result.min_distance
    return (True if least <= 0 else bool(cdata.done)), least


# ---- managers --------------------------------------------------------------------------------

CollisionCallback = Callable[[CollisionObject, CollisionObject, Any], bool]
DistanceCallback = Callable[[CollisionObject, CollisionObject, Any], "tuple[bool, float]"]


class DynamicAABBTreeCollisionManager:
    """Objects; `collide` calls a function for pairs that meet, `distance` for all pairs. Threads may
    share a manager."""

    def __init__(self) -> None:
        self._lock = threading.RLock()  # of what takes several calls of the world
        self._world = World()
        self._objects: dict[int, tuple[CollisionObject, NodeId]] = {}
        self._of_node: dict[int, CollisionObject] = {}

    def registerObjects(self, other_objs: Iterable[CollisionObject]) -> None:
        listed = list(other_objs)
        _require_objects(*listed)
        for obj in listed:
            self.registerObject(obj)

    def registerObject(self, obj: CollisionObject) -> None:
        _require_objects(obj)
        with self._lock:
            if id(obj) in self._objects:
                return self.update(obj)
            node = self._add(obj)
            self._objects[id(obj)] = obj, node
            self._of_node[node] = obj

    def _add(self, obj: CollisionObject) -> NodeId:
        body = obj.body
        is_half_space = isinstance(body, Shape) and body.kind == "half space"
        category, mask = (2, 1) if is_half_space else (1, 3)  # two half spaces are no pair
        return self._world.add(body, obj.pose, category=category, mask=mask)

    def unregisterObject(self, obj: CollisionObject) -> None:
        with self._lock:
            if id(obj) in self._objects:
                _, node = self._objects.pop(id(obj))
                del self._of_node[node]
                self._world.remove(node)

    def setup(self) -> None:
        self.update()

    def update(
        self, arg: CollisionObject | Sequence[CollisionObject] | None = None
    ) -> None:
        """Takes the transforms and the geometries that objects have now."""
        if arg is None:
            changed = self.getObjects()
        elif isinstance(arg, CollisionObject):
            changed = [arg]
        else:
            changed = list(arg)
        with self._lock:
            for obj in changed:
                if id(obj) not in self._objects:
                    continue
                node = self._objects[id(obj)][1]
                body = obj.body
                if body is not self._world.body(node) and body != self._world.body(node):
                    self._world.replace(node, body)
                self._world.set_pose(node, obj.pose)

    def clear(self) -> None:
        self.__init__()  # type: ignore[misc]

    def empty(self) -> bool:
        return not self._objects

    def size(self) -> int:
        return len(self._objects)

    def getObjects(self) -> list[CollisionObject]:
        return [obj for obj, _ in self._objects.values()]

    def collide(self, *args: Any) -> None:
        """collide(cdata, callback) of all pairs; collide(object, cdata, callback) of one object;
        collide(manager, cdata, callback) of pairs between two managers."""
        *with_, cdata, callback = args
        for o1, o2 in self._pairs(with_, may_meet=True):
            if callback(o1, o2, cdata):
                return

    def distance(self, *args: Any) -> None:
        """As collide; the callback returns whether it is done, and the least distance so far."""
        *with_, cdata, callback = args
        for o1, o2 in self._pairs(with_, may_meet=False):
            done, _ = callback(o1, o2, cdata)
            if done:
                return

    def _pairs(
        self, with_: list[Any], may_meet: bool
    ) -> Iterable[tuple[CollisionObject, CollisionObject]]:
        """The pairs of this manager, or with an object or a manager: all of them, or only the ones
        that meet."""
        if len(with_) > 1:
            raise InvalidInput("expected (cdata, callback) after at most one object or manager")
        if with_ and with_[0] is self:  # its own pairs, as in FCL
            with_ = []
        if with_ and isinstance(with_[0], DynamicAABBTreeCollisionManager):
            others = with_[0].getObjects()
        elif with_:
            others = [with_[0]]
        else:
            others = None
        if not may_meet:
            mine = self.getObjects()
            if others is None:
                return [(a, b) for i, a in enumerate(mine) for b in mine[i + 1 :]]
            return [(a, b) for a in mine for b in others]
        with self._lock:
            if others is None:
                found = self._world.touching_pairs()
                listed = [*found, *found.undecided.tolist()]
                return [(self._of_node[a], self._of_node[b]) for a, b in listed]
            pairs = []
            for other in others:
                visitor = self._add(other)
                try:
                    hits = self._world.touching_body(visitor).tolist()
                finally:
                    self._world.remove(visitor)
                pairs += [(self._of_node[node], other) for node in hits]
            return pairs
