/** How long the place of a waiter that has died keeps its successors waiting, in s. */
export const PLACE_SECONDS = 5;

/** How often a waiter says that it is still there, in ms. */
export const KEEP_MS = (PLACE_SECONDS * 1000) / 3;
