/*
 * How often the tree is built while pages of spans arrive. Each time takes as long as there are spans: were it
 * done for every page, a trace ten times as long would keep the browser busy a hundred times as long.
 */

const growth = 3

/** Whether the tree is built anew of what is here. `isSettled`: nothing more is on its way. */
export function isWorthBuilding(
  builtCount: number,
  loadedCount: number,
  isSettled: boolean,
): boolean {
  return isSettled || loadedCount >= builtCount * growth
}
