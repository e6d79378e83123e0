import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/*
 * The ClickHouse engine for tests, from the npm package `chdb`, which exists for Linux with glibc and for macOS.
 */

export interface ClickHouseEngine {
  readonly url: string
  readonly process: { readonly pid?: number | undefined }
  /** Kills it; its files remain. */
  kill(): Promise<void>
  /** Starts it again after it was killed, at the same address and on its files. */
  restart(): Promise<void>
  /** Stops it in the middle of what it does. Undo with `thaw`. */
  freeze(): void
  thaw(): void
  /** Kills it and removes its files. */
  stop(): Promise<void>
}

/** Whether this machine has the engine. */
export function hasClickHouseEngine(): boolean {
  try {
    const { resolve } = createRequire(import.meta.url)
    resolve(`@chdb/lib-${process.platform}-${process.arch}${isLinux ? '-gnu' : ''}`)
    return true
  } catch {
    return false
  }
}

const isLinux = process.platform === 'linux'

export async function startClickHouse(folder = newFolder()): Promise<ClickHouseEngine> {
  let running = await launch(folder, 0)
  const { port } = running
  const kill = () => running.kill()
  return {
    url: `http://127.0.0.1:${port}`,
    get process() {
      return running.child
    },
    kill,
    async restart() {
      running = await launch(folder, port)
    },
    freeze: () => void running.child.kill('SIGSTOP'),
    thaw: () => void running.child.kill('SIGCONT'),
    async stop() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** On a free port if `port` is 0. */
async function launch(folder: string, port: number) {
  const program = new URL('./engine-process.ts', import.meta.url)
  const child = spawn(process.execPath, [program.pathname, folder, String(port)], {
    // Each statement that runs takes a thread, of which there are four by default.
    env: { UV_THREADPOOL_SIZE: '40' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const killWithUs = () => child.kill('SIGKILL')
  process.once('exit', killWithUs)
  const exited = once(child, 'exit')
  const printed = await Promise.race([
    once(child.stdout, 'data').then(([chunk]) => String(chunk).trim()),
    exited.then(([code]) => {
      throw new Error(`The ClickHouse engine ended with ${code} before it was ready.`)
    }),
  ])
  return {
    child,
    port: Number(printed),
    async kill() {
      process.off('exit', killWithUs)
      child.kill('SIGKILL')
      await exited
    },
  }
}

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'assay-clickhouse-'))
}
