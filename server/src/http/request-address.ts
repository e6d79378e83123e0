import type { FastifyRequest } from 'fastify'
import { Failure } from '../platform/failure.ts'
import { isLoopback, plainHost } from '../platform/network-rules.ts'

/*
 * Checks the address that a request is sent to: its target and its Host header.
 */

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Served under any host name, because a web page that reaches it that way gains nothing. */
    readonly anyHost?: true
  }
}

/** Whether only this machine uses the service: its base URLs are loopback addresses and no proxy is trusted. */
export function isLocalService(
  baseUrls: readonly string[],
  trustProxy: number | readonly string[] | false,
): boolean {
  return trustProxy === false && baseUrls.every((url) => isLocalHost(new URL(url).hostname))
}

/** Whether the Host of the request is localhost or a loopback address. */
export function hasLocalHost({ hostname }: FastifyRequest): boolean {
  return isLocalHost(hostname)
}

function isLocalHost(host: string): boolean {
  const plain = plainHost(host)
  return plain === 'localhost' || isLoopback(plain)
}

/** Throws unless the request has one host and a path. */
export function refuseAmbiguous({ raw, originalUrl }: FastifyRequest): void {
  // Proxies choose differently between two hosts, and between a Host header and the host of an absolute target.
  const hosts = raw.rawHeaders.filter((name, at) => at % 2 === 0 && /^host$/i.test(name))
  const isValid = hosts.length === 1 || (hosts.length === 0 && raw.httpVersion === '1.0')
  if (!isValid) throw invalid('The request must have exactly one Host header.')
  if (!originalUrl.startsWith('/')) throw invalid('The request target must be a path.')
}

function invalid(message: string): Failure {
  return new Failure('VALIDATION_ERROR', message)
}

/** The address of a service that only this machine uses, and the setting that changes it. */
export interface LocalAddress {
  readonly baseUrl: string
  readonly setting: string
}

/**
 * Throws if the request has a foreign host. Protects a local service against DNS rebinding: a website whose name
 * resolves to a loopback address later has that name as its Host. Not applied to other services: their proxies and
 * health checks may use any host, and cookies are bound to the host anyway.
 */
export function refuseForeignHost(
  request: FastifyRequest,
  { baseUrl, setting }: LocalAddress,
): void {
  if (hasLocalHost(request) || request.routeOptions.config.anyHost === true) return
  // Browsers always send a host.
  if (request.headers.host === undefined) return
  throw new Failure(
    'FORBIDDEN',
    `This service accepts requests at ${baseUrl} only. To use another address, set ${setting} to it.`,
  )
}
