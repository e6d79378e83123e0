import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/*
 * Checks that the lock file contains every required package, including those for other platforms. npm omits
 * what the registry did not have when it wrote the file, silently, and then rejects the file in the next
 * fresh clone. Checks this repository, or the folder given as the argument.
 */

interface LockedPackage {
  readonly link?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const root = process.argv[2] ?? join(import.meta.dirname, '..')
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Readonly<Record<string, LockedPackage>>
}

const problems = Object.entries(packages).flatMap(([path, locked]) =>
  requestedBy(path, locked)
    .filter((name) => !isLocked(name, path))
    .map((name) => `${path === '' ? 'package.json' : path} wants ${name}, which is not locked.`),
)
for (const problem of problems) console.error(problem)
if (problems.length > 0) {
  console.error('Choose versions that the registry has for every platform, and install again.')
}
process.exit(problems.length === 0 ? 0 : 1)

function requestedBy(path: string, locked: LockedPackage): readonly string[] {
  const isOurs = !path.includes('node_modules/')
  return Object.keys({
    ...locked.dependencies,
    ...locked.optionalDependencies,
    ...(isOurs ? locked.devDependencies : {}),
  })
}

/** As Node resolves it: in the package's own folder, then in each parent. */
function isLocked(name: string, from: string): boolean {
  const folders =
    from === ''
      ? ['']
      : ['', ...from.split('/').map((_, at, all) => all.slice(0, at + 1).join('/'))]
  return folders.some((folder) => {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    return path in packages
  })
}
