/**
 * The process goes on when whoever reads its output is gone, such as `head`, or the collector of a log: what it writes is
 * lost. Without a handler, it would end in the middle of its work.
 */
export function tolerateClosedOutput(): void {
  for (const output of [process.stdout, process.stderr]) {
    output.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
  }
}
