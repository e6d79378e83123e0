/*
 * What the keyboard does, in words. The keys themselves are where they are handled.
 */

interface Shortcut {
  readonly keys: readonly string[]
  readonly does: string
}

interface ShortcutGroup {
  readonly where: string
  readonly shortcuts: readonly Shortcut[]
}

/** `⌘` where it is on the keyboard. */
export const commandKey = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'

export const shortcutGroups: readonly ShortcutGroup[] = [
  {
    where: 'Everywhere',
    shortcuts: [
      { keys: [`${commandKey} K`], does: 'find a page, a project or a trace' },
      { keys: ['?'], does: 'show this list' },
      { keys: ['Esc'], does: 'close what is open' },
      { keys: ['Tab'], does: 'go to the next control; the first leads past the navigation' },
    ],
  },
  {
    where: 'List of traces',
    shortcuts: [
      { keys: ['/'], does: 'filter' },
      { keys: ['j', '↓'], does: 'next trace' },
      { keys: ['k', '↑'], does: 'trace before' },
      { keys: ['x'], does: 'select the trace' },
      { keys: ['Enter'], does: 'open the trace' },
    ],
  },
  {
    where: 'Tree of a trace',
    shortcuts: [
      { keys: ['j', '↓'], does: 'next span' },
      { keys: ['k', '↑'], does: 'span before' },
      { keys: ['→', '←'], does: 'open and close, go in and out' },
      { keys: ['Enter', 'Space'], does: 'open or close the span' },
      { keys: ['Home', 'End'], does: 'first and last span' },
    ],
  },
]
