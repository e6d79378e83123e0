/*
 * What an engine reports about itself, cheap enough to read with every request.
 */
export interface Health {
  /**
   * How far search is behind: the age of the oldest recorded data that it does not find yet. Always 0 in an
   * engine whose search is up to date with every commit; otherwise under 2 seconds, unless data arrives faster
   * than it can be indexed.
   */
  searchLagMs(): number
  /**
   * The data file that was found damaged since the start. Operations that need its damaged parts reject with
   * `Unavailable`.
   */
  damagedFile(): string | undefined
  /**
   * Whether the engine, or one of several, responds now and accepts the service, so that writes do not have to wait for
   * it. Resolves within a second.
   */
  probe(): Promise<boolean>
}
