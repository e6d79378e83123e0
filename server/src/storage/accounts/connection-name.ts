/*
 * The names of connections to PostgreSQL, by which `checkNoProcesses` finds services and operators find connections.
 */

/**
 * Settings of the driver for an address. The name starts with `name`: one in the address, which the driver would prefer, is
 * added to it.
 */
export function withConnectionName(
  url: string,
  name: `assay${string}`,
): { readonly connectionString: string; readonly application_name: string } {
  const address = new URL(url)
  const own = address.searchParams.getAll(parameter).at(-1)
  if (own === undefined) return { connectionString: url, application_name: name }
  const both = `${name} ${own}`.trim()
  address.searchParams.set(parameter, both)
  return { connectionString: address.href, application_name: both }
}

const parameter = 'application_name'
