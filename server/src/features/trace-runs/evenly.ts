/** At most so many of a list, from all of it. */
export function evenly<One>(all: readonly One[], most: number): readonly One[] {
  if (all.length <= most) return all
  return Array.from({ length: most }, (_, n) => all[Math.floor((n * all.length) / most)]!)
}
