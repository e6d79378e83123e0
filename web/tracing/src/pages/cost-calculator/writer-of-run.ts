/** Among the ids of models: the one that wrote the run. */
export const writerOfRun = 'run'
