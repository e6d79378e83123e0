import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Snippet } from '../web/tracing/src/pages/send/snippet.ts'

/*
 * Runs a snippet of the page *Send traces* as a person would, except that it installs nothing.
 */

const run = promisify(execFile)

/**
 * @param find returns a snippet by its ID.
 * @param modelUrl the base URL of the model provider that programs call.
 */
export async function runSnippet(
  find: (id: string) => Snippet | undefined,
  id: string,
  modelUrl: string,
): Promise<void> {
  const cache = join(import.meta.dirname, '../.cache')
  mkdirSync(cache, { recursive: true })
  // Below the installed packages, which the programs import.
  const folder = mkdtempSync(join(cache, 'snippet-'))
  // Variables for any program, such as that of another snippet.
  const isProgram = id !== 'environment'
  const steps = find(id)?.steps ?? []
  const commands = steps.flatMap(({ label, text }) => (isCommand(label) ? text : []))
  if (!isProgram) commands.push('node first-trace.mjs')
  for (const { label, text } of (isProgram ? steps : find('node')?.steps) ?? []) {
    const file = /^Save as (\S+)$/.exec(label)?.[1]
    if (file !== undefined) writeFileSync(join(folder, file), text)
  }
  const path = `${dirname(process.execPath)}:${process.env['PATH']}`
  try {
    const env = { PATH: path, OPENAI_BASE_URL: modelUrl }
    await run('sh', ['-ec', commands.join('\n')], { cwd: folder, env })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function isCommand(label: string): boolean {
  return label !== 'Install' && !label.startsWith('Save as ')
}
