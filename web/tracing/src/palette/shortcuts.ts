import { commandKey } from '@assay/ui/shortcut-keys.ts'

/*
 * The list of keyboard shortcuts. The keys are handled in their components.
 */

interface Shortcut {
  readonly keys: readonly string[]
  readonly action: string
}

export interface ShortcutGroup {
  readonly where: string
  readonly shortcuts: readonly Shortcut[]
}

export const shortcutGroups: readonly ShortcutGroup[] = [
  {
    where: 'Everywhere',
    shortcuts: [
      { keys: [`${commandKey} K`], action: 'Open the command palette' },
      { keys: ['?'], action: 'Show keyboard shortcuts' },
      { keys: ['Esc'], action: 'Close dialog' },
      { keys: ['Tab'], action: 'Next control' },
    ],
  },
  {
    where: 'Trace list',
    shortcuts: [
      { keys: ['/'], action: 'Search and filter' },
      { keys: ['j', '↓'], action: 'Next trace' },
      { keys: ['k', '↑'], action: 'Previous trace' },
      { keys: ['x'], action: 'Select trace' },
      { keys: ['X'], action: 'Select all from the last selected' },
      { keys: ['Enter'], action: 'Open trace' },
    ],
  },
  {
    where: 'Search and filter',
    shortcuts: [
      { keys: ['Tab'], action: 'Complete' },
      { keys: ['Enter'], action: 'Apply' },
      { keys: ['⌫'], action: 'Edit the last filter' },
    ],
  },
  {
    where: 'Histogram',
    shortcuts: [
      { keys: ['←', '→'], action: 'Mark a time' },
      { keys: ['Shift ←', 'Shift →'], action: 'Extend the marked time' },
      { keys: ['Enter'], action: 'Filter by the marked time' },
      { keys: ['Esc'], action: 'Unmark' },
    ],
  },
  {
    where: 'Trace',
    shortcuts: [
      { keys: [']', '['], action: 'Next, previous trace of the list' },
      { keys: ['j', '↓'], action: 'Next span' },
      { keys: ['k', '↑'], action: 'Previous span' },
      { keys: ['→', '←'], action: 'Expand, collapse' },
      { keys: ['Space'], action: 'Expand or collapse' },
      { keys: ['Home', 'End'], action: 'First, last span' },
      { keys: ['PgUp', 'PgDn'], action: '20 spans up, down' },
      { keys: ['e', 'E'], action: 'Next, previous error' },
      { keys: ['+', '-', '0'], action: 'Zoom in, zoom out, reset' },
      { keys: [`${commandKey} Enter`], action: 'Send comment' },
    ],
  },
  {
    where: 'Graph',
    shortcuts: [{ keys: ['+', '-', '0'], action: 'Zoom in, zoom out, fit' }],
  },
  {
    where: 'Review queue',
    shortcuts: [
      { keys: ['1', '…', '5'], action: 'Score, from bad to good' },
      { keys: ['p', 'f'], action: 'Pass, fail' },
      { keys: ['c'], action: 'Comment' },
      { keys: ['Esc'], action: 'Leave the comment' },
      { keys: ['Enter', `${commandKey} Enter`], action: 'Save and open the next trace' },
      { keys: ['[', ']'], action: 'Previous trace, skip' },
    ],
  },
  {
    where: 'Comparison',
    shortcuts: [
      { keys: ['j', '↓'], action: 'Next span' },
      { keys: ['k', '↑'], action: 'Previous span' },
      { keys: ['Enter'], action: 'Compare outputs' },
    ],
  },
]
