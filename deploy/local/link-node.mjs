import { linkPinnedNode } from './node-runtime.mjs';

// npm runs this when it has installed packages.

linkPinnedNode();
