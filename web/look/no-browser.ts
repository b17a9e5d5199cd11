// What the app finds in a browser and looks for when it is loaded. Imported before anything of the app. What is asked for here
// has been brought: nothing goes out.
Object.assign(globalThis, {
  addEventListener() {},
  removeEventListener() {},
  location: new URL('https://rhubarb.invalid'),
  fetch: () => Promise.reject(new TypeError('A first look asks for nothing')),
})
