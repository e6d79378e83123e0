import type { Access } from '@assay/contract/access.ts'
import type {
  AnyEndpoint,
  DataOf,
  Input,
  MetaOf,
  Product,
  ReplyFormOf,
} from '@assay/contract/endpoint.ts'
import type {
  ClientFacts,
  KeyCaller,
  MemberCaller,
  ProjectCaller,
  SignedIn,
} from '../accounts/caller.ts'
import type { Requester } from '../platform/requester.ts'

/*
 * The input and the result of a handler, typed by the endpoint's declaration.
 */

type CallerFor<A> = A extends { by: 'tracing-key' }
  ? KeyCaller
  : A extends { of: 'project' }
    ? ProjectCaller
    : A extends { of: 'organization' }
      ? MemberCaller
      : A extends { by: 'session' }
        ? SignedIn
        : undefined

type AccessOf<E> = E extends { readonly access: infer A extends Access } ? A : never

/** An OTLP body as received: still compressed, at most the declared size. */
export interface OtlpBody {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly encoding: 'json' | 'protobuf'
  readonly compression: 'identity' | 'gzip' | 'deflate'
}

/** Options for reads of telemetry: they end when the client disconnects, and count for the caller. */
export interface CallReadOptions {
  readonly signal: AbortSignal
  readonly requester: Requester
  /** Refuses a large response before it is read. */
  onLargeRead(bytes: number): void
}

export interface Call<E extends AnyEndpoint> {
  readonly params: Input<E>['params']
  readonly query: Input<E>['query']
  readonly headers: Input<E>['headers']
  readonly body: ReplyFormOf<E> extends 'otlp' ? OtlpBody : Input<E>['body']
  readonly caller: CallerFor<AccessOf<E>>
  readonly client: ClientFacts
  /** The product whose host received the request. */
  readonly product: Product
  /** Aborts when the client disconnects. A handler may throw its reason: it is not reported. */
  readonly signal: AbortSignal
  readonly readOptions: CallReadOptions
  /** Sets or, with null, removes the session cookie in the response. */
  setSession(session: { token: string; expiresAt: Date } | null): void
  /** The signed-in user, if any, on an endpoint that allows anonymous access. */
  findCaller(): Promise<SignedIn | undefined>
  /** The cookie of a sign-in through another host. */
  readonly signIn: {
    read(): string | undefined
    write(value: string, expiresAt: Date): void
  }
}

/** Text, or bytes in UTF-8. */
export type JsonPart = string | Uint8Array

/** Data that is already JSON and is sent unchanged, one part after the other. */
export class ReadyJson {
  readonly parts: readonly JsonPart[]

  constructor(...parts: readonly JsonPart[]) {
    this.parts = parts
  }
}

/** One value of a stream that is sent while it is read: it may not fit in memory. */
export class JsonPieces {
  readonly pieces: AsyncIterable<JsonPart>

  constructor(pieces: AsyncIterable<JsonPart>) {
    this.pieces = pieces
  }
}

/** Data with the status that the endpoint declares as the alternative. */
export class AlternativeResponse<Data> {
  readonly data: Data

  constructor(data: Data) {
    this.data = data
  }
}

export interface OtlpReply {
  /** In the encoding of the request. */
  readonly bytes: Uint8Array
}

type DataResponse<E> = DataOf<E> | ReadyJson

/**
 * `{ data, meta }` if the declaration has a `meta`, a stream of events or lines, an OTLP reply, else the
 * data, possibly with its other status.
 */
export type Answer<E extends AnyEndpoint> =
  ReplyFormOf<E> extends 'events' | 'json-lines'
    ? AsyncIterable<DataOf<E> | JsonPieces>
    : ReplyFormOf<E> extends 'otlp'
      ? OtlpReply
      : undefined extends MetaOf<E>
        ? DataResponse<E> | AlternativeResponse<DataResponse<E>>
        : { readonly data: DataResponse<E>; readonly meta: MetaOf<E> }

export type Handler<E extends AnyEndpoint> = (call: Call<E>) => Promise<Answer<E>>

/** A handler that validates its JSON body itself, for bodies that are parsed on another thread. */
export type UnparsedHandler<E extends AnyEndpoint> = (
  call: Omit<Call<E>, 'body'> & { readonly body: Uint8Array<ArrayBuffer> },
) => Promise<Answer<E>>

/** Registers one declared endpoint on the server. */
export interface Bind {
  <E extends AnyEndpoint>(declared: E, handler: Handler<E>): void
  /** The same with the bytes of the body, to which `checkedJson` or `checkedForm` must be applied. */
  unparsed<E extends AnyEndpoint>(declared: E, handler: UnparsedHandler<E>): void
}
