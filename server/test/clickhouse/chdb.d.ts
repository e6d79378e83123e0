/** What the tests use of the package, which is not installed with the others. */
declare module 'chdb' {
  export class Session {
    /** @param folder of its data */
    constructor(folder: string)
    queryAsync(
      statement: string,
      options?: { readonly format?: string },
    ): Promise<{ bytes(): Uint8Array }>
  }
}
