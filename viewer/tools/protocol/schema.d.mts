// SPDX-License-Identifier: Apache-2.0
import type { Schema } from './samples.mjs';
export function readSchema(file: string): Schema;
