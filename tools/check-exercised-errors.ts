import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { allEndpoints } from '@assay/contract/all.ts'
import { endpointName, listErrors } from '@assay/contract/endpoint.ts'
import type { ExercisedError } from '../server/test/exercised-errors.ts'

/*
 * Fails if an endpoint declares an error that no test has exercised. The argument is the folder with the
 * tests' records (server/test/exercised-errors.ts).
 */

const [folder] = process.argv.slice(2)
if (folder === undefined)
  throw new Error('Usage: check-exercised-errors.ts <folder of the tests’ records>')

const exercised = new Set(readExercisedErrors(folder).map(toKey))
const missing = allEndpoints.flatMap((declared) =>
  listErrors(declared)
    .map(({ code, status }) => toKey({ endpoint: endpointName(declared), code, status }))
    .filter((key) => !exercised.has(key)),
)
for (const key of missing) console.error(`${key} is declared, but no test exercises it.`)
process.exit(missing.length === 0 ? 0 : 1)

function readExercisedErrors(from: string): readonly ExercisedError[] {
  return readdirSync(from)
    .flatMap((file) => readFileSync(join(from, file), 'utf8').trimEnd().split('\n'))
    .map((line) => JSON.parse(line) as ExercisedError)
}

function toKey({ endpoint, status, code }: ExercisedError): string {
  return `${endpoint}: ${status} ${code}`
}
