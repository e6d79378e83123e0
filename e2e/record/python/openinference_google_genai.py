"""OpenInference's instrumentation of Google's GenAI client: the second turn is streamed."""

from conversation import GEMINI, QUESTION, ROOT_URL, SESSION, SYSTEM, USER, tracer_provider, weather_in
from google import genai
from google.genai import types
from openinference.instrumentation import using_attributes
from openinference.instrumentation.google_genai import GoogleGenAIInstrumentor

provider = tracer_provider()
GoogleGenAIInstrumentor().instrument(tracer_provider=provider)
client = genai.Client(api_key="none", http_options=types.HttpOptions(base_url=ROOT_URL))
parameters = types.Schema(type="OBJECT", properties={"city": types.Schema(type="STRING")})
get_weather = types.FunctionDeclaration(
    name="get_weather", description="The weather in a city, now.", parameters=parameters
)
config = types.GenerateContentConfig(
    system_instruction=SYSTEM, tools=[types.Tool(function_declarations=[get_weather])]
)
with using_attributes(session_id=SESSION, user_id=USER):
    contents = [types.Content(role="user", parts=[types.Part(text=QUESTION)])]
    first = client.models.generate_content(model=GEMINI, contents=contents, config=config)
    calling = first.candidates[0].content
    result = types.Part.from_function_response(name="get_weather", response=weather_in("Paris"))
    contents += [calling, types.Content(role="user", parts=[result])]
    for _ in client.models.generate_content_stream(model=GEMINI, contents=contents, config=config):
        pass
provider.shutdown()
