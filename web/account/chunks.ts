import type { Rolldown } from 'vite'

/** The modules from which the code of the first visit is reached. Absolute paths. */
export interface FirstVisit {
  /** What runs while the rest loads. */
  readonly start: string
  /** What every page needs. */
  readonly app: string
  readonly signIn: string
  /** What surrounds every page of a signed-in person. */
  readonly frame: readonly string[]
  /** The pages that are opened most, by the names of their chunks. */
  readonly pages: Readonly<Record<string, string>>
}

/**
 * The chunks of a web app. Those of the first visit have only what their pages need, because every byte delays it; what
 * three of the other pages share is one more chunk, because otherwise a page would have more than a hundred files.
 */
export function chunkGroups(visit: FirstVisit): Rolldown.CodeSplittingGroup[] {
  let chunks: ReadonlyMap<string, string> | undefined
  const chunkOf = (id: string, context: Rolldown.ChunkingContext) => {
    chunks ??= firstChunks(visit, context)
    return helpers.test(id) ? 'start' : chunks.get(id)
  }
  return [
    // Not in those of the first visit, which need no schemas.
    { name: 'zod', test: /node_modules\/zod\/|zod-without-compiler/ },
    // One file, in the order of the imports: styles of our own override those of Mantine. Those of a page come with it.
    { name: 'styles', test: /^(?!.*\/src\/pages\/).*\.css$/ },
    // A group captures what its modules import as well, unless an earlier one did.
    ...ownChunks(visit).map((name) => ({
      name: (id: string, context: Rolldown.ChunkingContext) =>
        chunkOf(id, context) === name ? name : null,
    })),
    { name: 'shared', minShareCount: 3 },
  ]
}

/** The names of the chunks of the first visit. */
export function firstChunkNames(visit: FirstVisit): string[] {
  return ['zod', 'styles', ...ownChunks(visit)]
}

function ownChunks({ pages }: FirstVisit): string[] {
  return ['start', 'app', 'common', 'forms', 'sign-in', 'frame', ...Object.keys(pages)]
}

/** What Vite and Rolldown add after the modules were read. */
const helpers = /vite\/preload-helper|rolldown\/runtime/

function firstChunks(visit: FirstVisit, context: Rolldown.ChunkingContext) {
  const chunks = new Map<string, string>()
  const put = (name: string, ids: ReadonlySet<string>) => {
    for (const id of ids) if (!chunks.has(id)) chunks.set(id, name)
  }
  const reach = (...entries: readonly string[]) => importedBy(entries, context)
  const pages = Object.entries(visit.pages)
  const frame = reach(...visit.frame)
  const ofPages = pages.map(([, page]) => reach(page))
  const signIn = reach(visit.signIn)

  put('start', reach(visit.start))
  put('app', reach(visit.app))
  const ofAll = ofPages.reduce((some, ids) => some.intersection(ids)).union(frame)
  put('common', signIn.intersection(ofAll))
  put('forms', signIn.intersection(ofPages.reduce((some, ids) => some.union(ids))))
  put('sign-in', signIn)
  put('frame', ofAll)
  for (const [name, page] of pages) put(name, reach(page))
  return chunks
}

/** The modules themselves and all that they import, except dynamically. */
function importedBy(
  entries: readonly string[],
  context: Rolldown.ChunkingContext,
): ReadonlySet<string> {
  const ids = new Set(entries)
  for (const id of ids) for (const one of context.getModuleInfo(id)?.importedIds ?? []) ids.add(one)
  return ids
}
