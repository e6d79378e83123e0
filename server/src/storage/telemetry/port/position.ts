/**
 * Where a page ends, in the engine's own encoding; opaque to everyone else. A position that the engine cannot
 * decode, for example one of another engine, rejects with `InvalidCursor`.
 */
export type Position = string
