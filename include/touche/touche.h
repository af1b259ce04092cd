// SPDX-License-Identifier: Apache-2.0
// Includes what most programs need: objects and shapes, poses and motions, and the queries of two
// of them. Worlds of many bodies are in touche/world.h, outlines of the plane in touche/plane.h,
// file formats in touche/io.h, removal studies in touche/study.h; docs/reference lists all headers.
#pragma once

#include "touche/batch.h"
#include "touche/budget.h"
#include "touche/mass.h"
#include "touche/motion.h"
#include "touche/names.h"
#include "touche/near_faces.h"
#include "touche/object.h"
#include "touche/overlap.h"
#include "touche/path.h"
#include "touche/point_query.h"
#include "touche/pose.h"
#include "touche/query.h"
#include "touche/shape.h"
#include "touche/soup.h"
#include "touche/types.h"
#include "touche/version.h"
