import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { SetUp } from './set-ups.ts'

export interface Command {
  readonly command: string
  readonly args: readonly string[]
  /** What the process takes as its own name. */
  readonly argv0: string
}

/** The command that runs a client, which is built first if it is compiled. */
export async function commandOf(
  { language, script, environment = '' }: SetUp,
  environments: string,
): Promise<Command> {
  const child = join(import.meta.dirname, language, script)
  if (language === 'python') {
    const command = join(environments, environment, 'bin/python')
    // Python finds its environment by its path.
    return { command, args: [`${child}.py`], argv0: command }
  }
  if (language === 'javascript') {
    const command = process.execPath
    // Without its folder, which some clients use as the name of the service.
    return { command, args: [`${child}.mjs`], argv0: basename(command) }
  }
  const [command, ...args] = builds[language]
  const code = await run(command, args, { cwd: child })
  if (code !== 0) throw new Error(`${command} exited with code ${code} in ${child}`)
  const built = join(child, 'target')
  if (language === 'java') {
    const agent = join(built, 'dependency/opentelemetry-javaagent.jar')
    const options = existsSync(agent) ? [`-javaagent:${agent}`] : []
    return { command: 'java', args: [...options, '-jar', join(built, 'client.jar')], argv0: 'java' }
  }
  const program = join(built, language === 'rust' ? 'release/client' : 'client')
  return { command: program, args: [], argv0: 'client' }
}

/** In the folder of the client; the result is in its folder `target`. */
const builds = {
  java: ['mvn', '-q', '-B', 'package'],
  go: ['go', 'build', '-trimpath', '-o', 'target/client', '.'],
  rust: ['cargo', 'build', '-q', '--release'],
} as const

export async function run(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
): Promise<number | null> {
  const child = spawn(command, args, { ...options, stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code
}
