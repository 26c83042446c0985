/* SPDX-License-Identifier: GPL-2.0-only */
/* For the module's files on the host; see percpu.h. */
#include "percpu.h"
