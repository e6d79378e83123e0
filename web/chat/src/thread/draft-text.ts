/*
 * Texts of messages that were not sent yet. They stay in the tab: a draft may have secrets, and nothing else stores it.
 */

const prefix = 'assay-chat-draft '

export function readDraft(key: string): string {
  try {
    return sessionStorage.getItem(prefix + key) ?? ''
  } catch {
    return ''
  }
}

export function saveDraft(key: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(prefix + key)
    else sessionStorage.setItem(prefix + key, text)
  } catch {
    // Storage is full or disabled: the draft is lost on a reload.
  }
}

/** Removes the drafts of everybody, at sign-out. */
export function forgetDraftTexts(): void {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(prefix)) sessionStorage.removeItem(key)
    }
  } catch {
    // Storage is disabled.
  }
}
