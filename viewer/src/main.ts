// SPDX-License-Identifier: Apache-2.0
// The viewer of `touche view`.
import './look.css';
import { startApp } from './app';

startApp(document.body);
