/*
 * How often the tree is rebuilt while pages of spans arrive. A rebuild is linear in the number of spans, so
 * rebuilding for every page would be quadratic.
 */

const growth = 3

/** Whether to rebuild the tree now. `isSettled`: no more pages are on their way. */
export function isWorthBuilding(
  builtCount: number,
  loadedCount: number,
  isSettled: boolean,
): boolean {
  return isSettled || loadedCount >= builtCount * growth
}
