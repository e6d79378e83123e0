import { type ModelProvider, modelProviders } from '@assay/contract/model-configs.ts'
import { type Allowed, allowedDestinations, isLoopback, nothingAllowed } from './network-rules.ts'

/*
 * Settings of model calls: the platform model, and the private addresses that organizations may use.
 */

/** A model that the operator pays for, up to an allowance for each organization. */
export interface PlatformModelSettings {
  readonly provider: ModelProvider
  readonly model: string
  readonly apiKey: string | null
  /** Null: the provider's public API. */
  readonly baseUrl: string | null
  readonly allowanceUsd: number
}

/** Parses `provider:model`; undefined for anything else. */
export function parseModelName(
  text: string,
): Pick<PlatformModelSettings, 'provider' | 'model'> | undefined {
  const [prefix = '', ...rest] = text.split(':')
  const provider = modelProviders.find((one) => one === prefix)
  const model = rest.join(':').trim()
  return provider === undefined || model === '' ? undefined : { provider, model }
}

/**
 * The private addresses of models if the operator has not set any: this machine's own, for example for Ollama, but only
 * while nobody else can reach the service. On a shared service, members could otherwise use it to read from the machine.
 */
export function defaultModelNetworks(
  host: string,
  baseUrls: readonly string[],
  isBehindProxy: boolean,
): Allowed {
  const hosts = [host, ...baseUrls.map((url) => new URL(url).hostname)]
  const isLocal = hosts.every((one) => one === 'localhost' || isLoopback(one))
  return (
    (isLocal && !isBehindProxy && allowedDestinations(['127.0.0.0/8', '::1'])) || nothingAllowed
  )
}
