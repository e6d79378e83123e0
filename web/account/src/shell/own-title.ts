/*
 * The title that the open page sets in place of the declared one.
 */

let ownTitle: string | undefined
const listeners = new Set<() => void>()

export const readOwnTitle = (): string | undefined => ownTitle

export function setOwnTitle(title: string | undefined): void {
  ownTitle = title
  for (const notify of listeners) notify()
}

/** Calls back at each change, until the returned function is called. */
export function watchOwnTitle(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
