"""A smolagents agent, instrumented by OpenInference."""

from conversation import MODEL, MODEL_URL, QUESTION, tracer_provider, weather_in
from openinference.instrumentation.smolagents import SmolagentsInstrumentor
from smolagents import OpenAIServerModel, ToolCallingAgent, tool


@tool
def get_weather(city: str) -> dict:
    """The weather in a city, now.

    Args:
        city: Its name.
    """
    return weather_in(city)


provider = tracer_provider()
SmolagentsInstrumentor().instrument(tracer_provider=provider)
model = OpenAIServerModel(MODEL, api_base=MODEL_URL, api_key="none")
agent = ToolCallingAgent(
    tools=[get_weather],
    model=model,
    name="weather",
    description="Tells the weather.",
    # The default instructions are several pages long.
    prompt_templates={
        "system_prompt": "You are terse.",
        "planning": {"initial_plan": "", "update_plan_pre_messages": "", "update_plan_post_messages": ""},
        "managed_agent": {"task": "", "report": ""},
        "final_answer": {"pre_messages": "", "post_messages": ""},
    },
    verbosity_level=0,
)
agent.run(QUESTION)
provider.shutdown()
