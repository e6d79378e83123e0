/** A sentence for the user: what happened, then what to do. */
export class EncryptionProblem extends Error {
  override readonly name = 'EncryptionProblem'
  readonly kind: 'older' | 'invalid' | 'code' | 'unreadable'

  constructor(kind: EncryptionProblem['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}
