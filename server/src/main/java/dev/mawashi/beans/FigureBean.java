package dev.mawashi.beans;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.ReflectionException;
import org.jspecify.annotations.Nullable;

/// A bean whose attributes are figures. Nothing of it can be set or called.
final class FigureBean implements DynamicMBean {
    private final Map<String, Figure> figures = new LinkedHashMap<>();
    private final MBeanInfo info;

    /// @param help what the bean is, in a line
    FigureBean(String help, List<Figure> all) {
        all.forEach(figure -> figures.put(figure.name(), figure));
        info =
                new MBeanInfo(
                        FigureBean.class.getName(),
                        help,
                        all.stream().map(FigureBean::info).toArray(MBeanAttributeInfo[]::new),
                        null,
                        null,
                        null);
    }

    private static MBeanAttributeInfo info(Figure figure) {
        boolean isFlag = figure.type() == Boolean.class;
        return new MBeanAttributeInfo(
                figure.name(), figure.type().getName(), figure.help(), true, false, isFlag);
    }

    @Override
    public Object getAttribute(String name) throws AttributeNotFoundException {
        @Nullable Figure figure = figures.get(name);
        if (figure == null) {
            throw new AttributeNotFoundException("there is no figure " + name);
        }
        return figure.value().get();
    }

    @Override
    public AttributeList getAttributes(String[] names) {
        AttributeList values = new AttributeList();
        for (String name : names) {
            @Nullable Figure figure = figures.get(name);
            if (figure != null) {
                values.add(new Attribute(name, figure.value().get()));
            }
        }
        return values;
    }

    @Override
    public void setAttribute(Attribute attribute) throws AttributeNotFoundException {
        throw new AttributeNotFoundException(attribute.getName() + " can only be read");
    }

    @Override
    public AttributeList setAttributes(AttributeList attributes) {
        return new AttributeList();
    }

    @Override
    public Object invoke(String name, Object[] values, String[] signature)
            throws ReflectionException {
        throw new ReflectionException(new NoSuchMethodException(name), "there is no operation");
    }

    @Override
    public MBeanInfo getMBeanInfo() {
        return info;
    }
}
