"""The review page: a person looks at what the models doubted, in a browser; every decision is kept at once.

`app.create_app` makes the ASGI application over one labelled folder; it is guarded and run as that of `hupai
serve` is. Files of the page lie in `static/` as they are served: no build step, nothing from a network.
"""
