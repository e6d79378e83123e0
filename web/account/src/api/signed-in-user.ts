/*
 * The ID of the person who is signed in in this browser. All tabs share it through local storage, whose events
 * reach every other tab. A hint only: the session cookie decides.
 */

const key = 'assay-signed-in-user'

/** False if this browser was never signed in, or was signed out. True if unknown. */
export function mayBeSignedIn(): boolean {
  try {
    return localStorage.getItem(key) !== null
  } catch {
    return true
  }
}

export function rememberSignedInUser(userId: string): void {
  try {
    if (localStorage.getItem(key) !== userId) localStorage.setItem(key, userId)
  } catch {
    // Storage is full or disabled: other tabs notice at their next request.
  }
}

export function forgetSignedInUser(): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // Storage is disabled.
  }
}

/** Calls back when another tab signs in, with the ID of the person, or signs out, with null. */
export function onSignedInUserChange(listener: (userId: string | null) => void): void {
  addEventListener('storage', (event) => {
    // The key is null when the storage was cleared.
    if (event.key === key) listener(event.newValue)
  })
}
