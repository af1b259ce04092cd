// SPDX-License-Identifier: Apache-2.0
// Everything of the core. Importers are in touche/io.h, removal studies in touche/study.h.
#pragma once

#include "touche/batch.h"
#include "touche/budget.h"
#include "touche/hierarchy_file.h"
#include "touche/linear.h"
#include "touche/mass.h"
#include "touche/motion.h"
#include "touche/moving_box.h"
#include "touche/names.h"
#include "touche/object.h"
#include "touche/opening.h"
#include "touche/overlap.h"
#include "touche/path.h"
#include "touche/point_query.h"
#include "touche/pose.h"
#include "touche/query.h"
#include "touche/self_contact.h"
#include "touche/soup.h"
#include "touche/types.h"
#include "touche/version.h"
#include "touche/workspace.h"
