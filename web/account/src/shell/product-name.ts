import { createContext } from 'react'

/** The name of the web app: `Assay Chat`. */
export const ProductName = createContext('Assay')
