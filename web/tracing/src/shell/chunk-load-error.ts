/** Whether a part of the app itself failed to load. Each browser has its own message. */
export function isChunkLoadError(error: Error): boolean {
  return /dynamically imported module|importing a module|preload CSS/i.test(error.message)
}
