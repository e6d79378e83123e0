import type { MouseEvent } from 'react'

/** Elements that handle clicks themselves. */
const controls = 'a, button, input, select, textarea, label, summary'

/** What a row does by default: the first link or button in its header cell. */
export const mainControl = 'th :is(a, button):not([data-branch-toggle])'

const detailsButton = 'td > button[aria-expanded]'

/**
 * A click anywhere on a row activates the first link or button of its header cell, in a new tab with the middle
 * button or ctrl; without one, the button of its details. Clicks on other controls and selections of text are left alone.
 */
export function openRow(event: MouseEvent<HTMLTableRowElement>): void {
  const { target, currentTarget: row, button } = event
  if (!(target instanceof Element) || target.closest(controls) !== null) return
  if (button > 1 || getSelection()?.isCollapsed === false) return
  const control =
    row.querySelector<HTMLElement>(mainControl) ?? row.querySelector<HTMLElement>(detailsButton)
  if (control instanceof HTMLAnchorElement && (button === 1 || event.ctrlKey || event.metaKey)) {
    window.open(control.href, '_blank', 'noopener')
  } else if (button === 0) control?.click()
}
