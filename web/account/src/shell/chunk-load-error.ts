/** Whether a chunk of the app failed to load. The message differs between browsers. */
export function isChunkLoadError(error: Error): boolean {
  return /dynamically imported module|importing a module|preload CSS/i.test(error.message)
}
