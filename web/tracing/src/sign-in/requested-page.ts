import { isNextPath } from '@assay/account/sign-in/next-path.ts'

/*
 * The page that a person has asked for who has no account yet. The link of their invite opens in another tab, and leads
 * there when it is accepted.
 */

const key = 'assay-requested-page'

/** Later, the person has something else in mind. */
const rememberedMs = 60 * 60_000

export function rememberRequestedPage(path: string): void {
  try {
    localStorage.setItem(key, JSON.stringify({ path, at: Date.now() }))
  } catch {
    // Storage is full or disabled: the invite leads to the first project.
  }
}

export function loadRequestedPage(): string | undefined {
  try {
    const { path, at } = JSON.parse(localStorage.getItem(key) ?? '{}') as Record<string, unknown>
    if (typeof path !== 'string' || typeof at !== 'number') return undefined
    const age = Date.now() - at
    return age >= 0 && age < rememberedMs && isNextPath(path) ? path : undefined
  } catch {
    return undefined
  }
}

export function forgetRequestedPage(): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // Storage is disabled, so there is none.
  }
}
