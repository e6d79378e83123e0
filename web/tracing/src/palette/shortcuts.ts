import { commandKey } from '@assay/ui/shortcut-keys.ts'

/*
 * The list of keyboard shortcuts. The keys are handled in their components.
 */

interface Shortcut {
  readonly keys: readonly string[]
  readonly action: string
}

interface ShortcutGroup {
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
      { keys: ['Enter'], action: 'Open trace' },
    ],
  },
  {
    where: 'Trace',
    shortcuts: [
      { keys: ['j', '↓'], action: 'Next span' },
      { keys: ['k', '↑'], action: 'Previous span' },
      { keys: ['→', '←'], action: 'Expand, collapse' },
      { keys: ['Home', 'End'], action: 'First, last span' },
      { keys: ['e', 'E'], action: 'Next, previous error' },
      { keys: ['+', '-', '0'], action: 'Zoom in, zoom out, reset' },
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
