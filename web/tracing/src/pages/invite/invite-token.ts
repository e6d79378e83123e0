/*
 * Keeps the token of an invite during sign-in, in this tab only.
 */

const key = 'assay-invite'

export function saveInviteToken(token: string): void {
  try {
    sessionStorage.setItem(key, token)
  } catch {
    // Storage is full or disabled: the link must be opened again after sign-in.
  }
}

export function loadInviteToken(): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

export function clearInviteToken(): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Storage is disabled, so there is no token.
  }
}
