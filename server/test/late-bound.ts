/**
 * Stands for an object that a hook creates later, so that tests can refer to it as a constant. `current`
 * returns undefined until then.
 */
export function lateBound<T extends object>(current: () => T | undefined): T {
  const read = () => {
    const object = current()
    if (object === undefined) throw new Error('Used before the hook that creates it has run.')
    return object
  }
  return new Proxy({} as T, {
    get(_target, name) {
      const object = read()
      const value: unknown = Reflect.get(object, name)
      return typeof value === 'function' ? value.bind(object) : value
    },
    // For spreading.
    ownKeys: () => Reflect.ownKeys(read()),
    getOwnPropertyDescriptor: (_target, name) => Reflect.getOwnPropertyDescriptor(read(), name),
  })
}
