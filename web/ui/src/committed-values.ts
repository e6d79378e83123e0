/** The values that an input has passed on, to tell them from changes by others when they come back. */
export interface CommittedValues {
  /** Returns false for the current value, which needs no commit. */
  readonly commit: (next: string) => boolean
  /** Returns whether somebody else has changed the value. */
  readonly receive: (value: string) => boolean
  readonly isCurrent: (text: string) => boolean
}

/** With slow navigations, a value can come back when the next one has been committed already. */
export function openCommittedValues(initial: string): CommittedValues {
  let current = initial
  let underWay: readonly string[] = []
  const isCurrent = (text: string) => text === current
  return {
    isCurrent,
    commit(next) {
      if (isCurrent(next)) return false
      current = next
      underWay = [...underWay, next]
      return true
    },
    receive(value) {
      const at = underWay.indexOf(value)
      underWay = at === -1 ? [] : underWay.slice(at + 1)
      if (at !== -1 || isCurrent(value)) return false
      current = value
      return true
    },
  }
}
