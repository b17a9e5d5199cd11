import { passwordCost } from '#server/features/auth/passwords.ts'

// A real hash costs 25 ms, and the tests register more than a thousand members.
Object.assign(passwordCost, { memoryCost: 64, timeCost: 1 })
