import { isNextPath } from '../sign-in/next-path.ts'

/*
 * The page to open after a session transfer. It belongs to the tab that started the transfer.
 */

const key = 'assay-return-path'

export function rememberReturnPath(path: string): void {
  try {
    sessionStorage.setItem(key, path)
  } catch {
    // Storage is disabled: the start page opens instead.
  }
}

/** Each path is returned once. */
export function takeReturnPath(): string {
  try {
    const path = sessionStorage.getItem(key) ?? '/'
    sessionStorage.removeItem(key)
    return isNextPath(path) ? path : '/'
  } catch {
    return '/'
  }
}
