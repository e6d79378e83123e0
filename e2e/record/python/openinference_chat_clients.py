"""OpenInference's instrumentations of Groq's and Mistral's clients."""

import json

from conversation import MODEL, OPENAI_TOOL, PROVIDER, QUESTION, ROOT_URL, SYSTEM, tracer_provider, weather_in

provider = tracer_provider()
if PROVIDER == "groq":
    from groq import Groq
    from openinference.instrumentation.groq import GroqInstrumentor

    GroqInstrumentor().instrument(tracer_provider=provider)
    complete = Groq(base_url=ROOT_URL, api_key="none", max_retries=0).chat.completions.create
else:
    from mistralai.client import Mistral
    from openinference.instrumentation.mistralai import MistralAIInstrumentor

    MistralAIInstrumentor().instrument(tracer_provider=provider)
    complete = Mistral(server_url=ROOT_URL, api_key="none").chat.complete
messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": QUESTION}]
first = complete(model=MODEL, messages=messages, tools=[OPENAI_TOOL])
calling = first.choices[0].message
[call] = calling.tool_calls
messages += [
    calling.model_dump(include={"role", "content", "tool_calls"}),
    {"role": "tool", "tool_call_id": call.id, "content": json.dumps(weather_in("Paris"))},
]
complete(model=MODEL, messages=messages, tools=[OPENAI_TOOL])
provider.shutdown()
