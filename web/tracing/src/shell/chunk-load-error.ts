/** Whether a part of the app itself failed to arrive, told by each browser in words of its own. */
export function isChunkLoadError(error: Error): boolean {
  return /dynamically imported module|importing a module|preload CSS/i.test(error.message)
}
